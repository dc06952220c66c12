import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const fixture = parse(readFileSync(new URL('silence.yaml', import.meta.url), 'utf8'), { merge: true });
const NEWER =
  /^(document\.(\$self|jsonSchemaDialect|webhooks)|info\.summary|license\.identifier|server\.name|components\.(pathItems|mediaTypes)|path\.(query|additionalOperations)|media\.(itemSchema|prefixEncoding|itemEncoding)|encoding\.encoding|response\.summary|example\.(dataValue|serializedValue)|tag\.(summary|parent|kind)|scheme\.(oauth2MetadataUrl|deprecated)|discriminator\.defaultMapping|xml\.nodeType|schema\.(\$\w+|const|maxContains|minContains|dependent\w+|patternProperties|propertyNames|unevaluated\w+|prefixItems|contains|content\w+|if|then|else|examples|exclusive\w+))$/;
const JUST_30 = /^schema\.nullable$/;

export const load = {
  fixtures: {
    '3.0': { ...fixture.shared, ...fixture['3.0'] },
    '3.1': { ...fixture.shared, ...fixture['3.1'] },
  } as Record<string, unknown>,
  samples: fixture.samples,
  isIn: (version: string, kind: string, field: string) =>
    !(version === '3.0' ? NEWER : JUST_30).test(`${kind}.${field}`),
  exceptions: Object.entries(fixture.exceptions).map(
    ([pattern, why]) => [new RegExp(pattern), String(why)] as [RegExp, string],
  ),
};
