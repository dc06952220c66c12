/** A value that fails a schema. */
export interface Issue {
  /** The reason in the words of the service, such as `must not be empty`. */
  readonly message: string;
  /** The names and indexes that lead from the value to the part that fails. */
  readonly path: readonly PropertyKey[];
}

/** A schema of the contract as [Standard Schema](https://standardschema.dev) 1, which form libraries and others accept. */
export interface StandardSchema<Value> {
  /** The members of the standard. */
  readonly '~standard': {
    readonly version: 1;
    /** The name of the service. */
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => { readonly value: Value; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
    readonly types?: { readonly input: Value; readonly output: Value } | undefined;
  };
}

/** A function that Ajv has compiled. */
interface Validate {
  (value: unknown): unknown;
  errors?: { instancePath: string; params: Record<string, unknown>; message?: string }[] | null;
}

/** Wraps a validator that Ajv has compiled as a Standard Schema. */
export function standardSchema<Value>(check: unknown, vendor: string): StandardSchema<Value> {
  const validate = (value: unknown) => {
    const run = check as Validate;
    if (run(value)) return { value: value as Value };
    const issues = (run.errors ?? []).map(({ instancePath, params, message = '' }) => {
      const names = instancePath.split('/').slice(1);
      const path = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
      const field = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
      if (field !== undefined) path.push(String(field));
      return { path, message };
    });
    return { issues };
  };
  return { '~standard': { version: 1, vendor, validate } };
}
