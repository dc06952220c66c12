import { inspect } from 'node:util';
import { counted, type Deprecation, type Operation, type Parameter, type Schema, STABILITIES } from '../contract.ts';
import { describeSecurity } from '../security.ts';
import { comment, prose, shown } from './values.ts';

/** An exported declaration; `doc` may be empty. */
export function exported(doc: string, text: string): string {
  return `${doc && `${comment(doc)}\n`}export ${text}\n`;
}

export function exportedInterface(doc: string, name: string, members: string[]): string {
  return exported(doc, `interface ${name} {\n${members.join('\n\n')}\n}`);
}

/** Declarations after the imports of the types that they name, of these by module. */
export function importing(modules: Record<string, string[]>, declarations: string[]): string {
  const code = declarations.join('\n');
  // A comment may have any word.
  const words = new Set(code.replace(/^ *\/?\*.*/gm, '').split(/\W+/));
  const imports = Object.entries(modules).flatMap(([module, names]) => {
    const used = names.filter((name) => words.has(name));
    return used.length > 0 ? `import type { ${used.join(', ')} } from '${module}';\n` : [];
  });
  return (imports.length > 0 ? `${imports.join('')}\n` : '') + code;
}

/** The JSDoc of an operation: description, use in code, method and path, and `@deprecated`, `@experimental` or `@beta`. */
export function operationDoc(operation: Operation, indent = '  ', use = ''): string {
  const { summary, description, method, path, stability, security } = operation;
  const tags = [deprecatedTag(operation), stability && `@${stability} It ${STABILITIES[stability]}.`].filter(Boolean);
  const paragraphs = [
    prose(`${summary.replace(/\.$/, '')}.`),
    prose(description.trim()),
    use,
    prose(`\`${method.toUpperCase()} ${path}\``),
    prose(describeSecurity(security)),
    tags.join('\n'),
  ];
  return comment(paragraphs.filter(Boolean).join('\n\n'), indent);
}

/**
 * A parameter or field with its JSDoc: description, limits, `@deprecated`, `@default` and `@example`.
 *
 * @param owner - the parameter or field, whose description and examples take precedence over those of its schema
 */
export function documented(owner: Parameter | Schema, schema: Schema, text: string): string {
  const description = prose(owner.description ?? schema.description ?? '');
  const example = owner.example ?? schema.example;
  const tags = [
    (owner.deprecated || schema.deprecated) && '@deprecated',
    schema.default !== undefined && `@default ${shown(schema.default)}`,
    example !== undefined && `@example ${shown(example)}`,
  ];
  const limits = limitsOf(schema);
  const meaning = [limits ? description.trim().replace(/[^.!?]$/, '$&.') : description.trim(), limits]
    .filter(Boolean)
    .join(' ');
  const doc = [meaning, tags.filter(Boolean).join('\n')].filter(Boolean).join('\n\n');
  return `${doc && `${comment(doc, '  ')}\n`}  ${text}`;
}

const BOUNDS = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', 'characters'],
  ['minItems', 'maxItems', 'items'],
] as const;

const isSafe = (limit: unknown) => Math.abs(Number(limit)) === Number.MAX_SAFE_INTEGER;

/** The bounds of a schema in words. Omits the safe-integer bounds that every int64 has. */
function limitsOf(schema: Schema): string {
  const limits = BOUNDS.map(([min, max, unit]) => {
    const [least, most] = [schema[min], schema[max]].map((limit) => (isSafe(limit) ? undefined : limit));
    if (least !== undefined && most !== undefined) return `${least} to ${counted(most, unit)}.`;
    if (least !== undefined) return `At least ${counted(least, unit)}.`;
    return most === undefined ? '' : `At most ${counted(most, unit)}.`;
  });
  return limits.filter(Boolean).join(' ');
}

function deprecatedTag({ deprecation }: Operation): string {
  if (!deprecation) return '';
  const { operationId, parameters = {} } = deprecation.replacedBy ?? {};
  const filters = Object.keys(parameters).map((name) => `\`${name}\``);
  const call = `${operationId}(${inspect(parameters, { breakLength: Number.POSITIVE_INFINITY })})`;
  const example = `with the ${filters.join(' and ')} filter instead, as in \`${call}\``;
  const use = operationId && `Use ${prose(`\`${operationId}\` ${filters.length > 0 ? example : 'instead'}`)}.`;
  return ['@deprecated', datesOf(deprecation), use].filter(Boolean).join(' ');
}

/** `Since 1 May 2030; removed on 5 December 2030.` Empty without dates. */
export function datesOf({ at, sunset }: Deprecation): string {
  const text = [at && `since ${longDate(at)}`, sunset && `removed on ${longDate(sunset)}`].filter(Boolean).join('; ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** `2030-12-05` → `5 December 2030` */
export function longDate(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}
