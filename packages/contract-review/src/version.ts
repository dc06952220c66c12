import path from 'node:path';
import { type Place, Source } from '@repo/openapi';
import { normalize } from './normalize.ts';

/** A version of a contract, in one notation. */
export class Version extends Source {
  /** The component schemas by name, including those in files of their own. A generated SDK has them as types. */
  readonly schemas: ReadonlyMap<string, Place>;
  /** The objects of OpenAPI that the contract consists of. */
  readonly objects: ReadonlySet<unknown>;

  constructor(file: string, options?: ConstructorParameters<typeof Source>[1]) {
    super(path.resolve(file), options);
    if (!/^3\./.test(this.root.value?.openapi))
      throw new Error(`${this.nameOf(this.file)}:1:1 is not an OpenAPI 3 document`);
    const { schemas, objects } = normalize(this);
    this.schemas = schemasIn(this, schemas);
    this.objects = objects;
  }
}

/**
 * The component schemas, and the schemas that a bundler turns into components. Those get the name of the file, or of the part of a
 * file, to which a reference leads, unless a component is that reference.
 *
 * @param others - the schemas of other files that references lead to
 */
function schemasIn({ root }: Source, others: ReadonlyMap<string, Place>): Map<string, Place> {
  const own = root.at('components', 'schemas').byKey();
  const targets = new Set([...own.values()].map((place) => place.follow().id));
  const named = [...others.values()].filter(({ id }) => !targets.has(id));
  return new Map([...named.map((place) => [nameOf(place), place] as const), ...own]);
}

const nameOf = ({ file, keys }: Place) => String(keys.at(-1) ?? path.parse(file).name);
