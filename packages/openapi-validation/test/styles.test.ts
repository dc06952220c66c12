import { expect, test } from 'vitest';
import type { Operation } from '../src/operation.ts';
import { type ReadStyles, sentQuery, stylesReader } from '../src/styles.ts';

test('a link to the next page has lists and objects as they were sent', () => {
  const style = (style: 'form' | 'deepObject', of: 'list' | 'object') => ({ style, of, explode: style !== 'form' });
  const parameters: Operation['parameters'] = [
    { in: 'query', name: 'fields', required: false, style: style('form', 'list'), schema: true },
    { in: 'query', name: 'labels', required: false, style: style('deepObject', 'object'), schema: true },
    { in: 'query', name: 'cursor', required: false, schema: true },
  ];
  const query = { fields: 'a,b,>', 'labels[a b]': '1', cursor: 'old' };
  const url = '/v1/books?fields=a%2Cb,>&labels[a%20b]=1&cursor=old';
  const request = { params: {}, headers: {}, query, raw: { url } } as Parameters<ReadStyles>[1] & object;
  expect(stylesReader(() => false)({ parameters } as Operation, request)).toEqual([]);
  expect(request.query).toEqual({ fields: ['a,b', '>'], labels: { 'a b': '1' }, cursor: 'old' });
  const sent = sentQuery(request.query as object, { cursor: 'new' });
  expect(sent).toEqual(['fields=a%2Cb,%3E', 'labels%5Ba+b%5D=1', 'cursor=new']);
});
