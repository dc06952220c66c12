import type { Operation, Parameter } from '../contract.ts';

/** Formats a JSDoc comment. Escapes `*\/`, which would end it. */
export function comment(text: string, indent = ''): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n');
}

/** An exported declaration; `doc` may be empty. */
export function exported(doc: string, text: string): string {
  return `${doc && `${comment(doc)}\n`}export ${text}\n`;
}

export function exportedInterface(doc: string, name: string, members: string[]): string {
  return exported(doc, `interface ${name} {\n${members.join('\n\n')}\n}`);
}

/** The JSDoc of an operation: description, method and path, and `@deprecated`, `@experimental` or `@beta`. */
export function operationDoc(operation: Operation, indent = '  '): string {
  const { summary, description, method, path, stability } = operation;
  const tags = [
    deprecatedTag(operation),
    stability ? `@${stability} May change or go without a major version.` : '',
  ].filter(Boolean);
  const paragraphs = [
    `${summary.replace(/\.$/, '')}.`,
    description.trim(),
    `\`${method.toUpperCase()} ${path}\``,
    tags.join('\n'),
  ];
  return comment(paragraphs.filter(Boolean).join('\n\n'), indent);
}

/** A parameter or field with its JSDoc: description, limits, `@deprecated`, `@default` and `@example`. */
export function documented(field: Partial<Parameter>, text: string): string {
  const { description = '', limits, deprecated, default: value, example } = field;
  const tags = [
    deprecated && '@deprecated',
    value !== undefined && `@default ${JSON.stringify(value)}`,
    example !== undefined && `@example ${JSON.stringify(example)}`,
  ];
  const meaning = [description.trim(), limits].filter(Boolean).join(' ');
  const doc = [meaning, tags.filter(Boolean).join('\n')].filter(Boolean).join('\n\n');
  return `${doc && `${comment(doc, '  ')}\n`}  ${text}`;
}

function deprecatedTag({ deprecation }: Operation): string {
  if (!deprecation) return '';
  const { operationId, parameters = {} } = deprecation.replacedBy;
  const names = Object.keys(parameters).map((name) => `\`${name}\``);
  const values = Object.entries(parameters).map(([name, value]) => {
    return `${name}: ${typeof value === 'string' ? `'${value}'` : value}`;
  });
  const use =
    names.length === 0
      ? `\`${operationId}\` instead`
      : `\`${operationId}\` with the ${names.join(' and ')} filter instead, as in \`${operationId}({ ${values.join(', ')} })\``;
  return `@deprecated Since ${longDate(deprecation.at)}; removed on ${longDate(deprecation.sunset)}. Use ${use}.`;
}

/** `2030-12-05` → `5 December 2030` */
export function longDate(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}
