import type { Operation, Parameter } from '../contract.ts';

/**
 * The JSDoc of an operation: what it does, its method and path, and `@deprecated`, `@experimental` or `@beta`.
 *
 * @param indent - put before each line
 */
export function operationDoc(operation: Operation, indent = '  '): string {
  const paragraphs = [
    `${operation.summary.replace(/\.$/, '')}.`,
    operation.description.trim(),
    `\`${operation.method.toUpperCase()} ${operation.path}\``,
    [deprecatedTag(operation), stabilityTag(operation)].filter(Boolean).join('\n'),
  ];
  return comment(paragraphs.filter(Boolean).join('\n\n'), indent);
}

/**
 * The JSDoc of a parameter or a field: its meaning and limits, `@deprecated`, `@default` and `@example`. Empty when
 * there is nothing to say.
 */
export function fieldDoc(
  field: Pick<Parameter, 'description' | 'limits'> & Partial<Pick<Parameter, 'deprecated' | 'default' | 'example'>>,
  indent = '  ',
): string {
  const tags = [
    field.deprecated && '@deprecated',
    field.default !== undefined && `@default ${JSON.stringify(field.default)}`,
    field.example !== undefined && `@example ${JSON.stringify(field.example)}`,
  ];
  const meaning = [field.description.trim(), field.limits].filter(Boolean).join(' ');
  const text = [meaning, tags.filter(Boolean).join('\n')].filter(Boolean).join('\n\n');
  return text && `${comment(text, indent)}\n`;
}

/** `text` as a JSDoc block. A description cannot end it early. */
export function comment(text: string, indent = ''): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n');
}

function deprecatedTag({ deprecation }: Operation): string {
  if (!deprecation) return '';
  const { operationId, parameters = {} } = deprecation.replacedBy;
  const names = Object.keys(parameters).map((name) => `\`${name}\``);
  const filter = names.length > 0 ? ` with the ${names.join(' and ')} filter` : '';
  const example = names.length > 0 ? `, as in \`${operationId}(${literal(parameters)})\`` : '';
  return (
    `@deprecated Since ${longDate(deprecation.at)}; removed on ${longDate(deprecation.sunset)}. ` +
    `Use \`${operationId}\`${filter} instead${example}.`
  );
}

function stabilityTag({ stability }: Operation): string {
  return stability ? `@${stability} May change or go without a major version.` : '';
}

function literal(parameters: Record<string, unknown>): string {
  const fields = Object.entries(parameters).map(([name, value]) => {
    return `${name}: ${typeof value === 'string' ? `'${value}'` : value}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/** `2030-12-05` → `5 December 2030` */
export function longDate(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}
