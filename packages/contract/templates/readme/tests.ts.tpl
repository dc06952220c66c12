import assert from 'node:assert/strict';
import { createTestClient, errorResponse } from '{{package}}/testing';

const {{variable}} = createTestClient({
{{?listName}}  {{listName}}: () => [],
  {{oneName}}: () => errorResponse(404, 'not_found', 'There is none'),
});
{{?listName}}assert.deepEqual(await {{listCall}}, []);
await assert.rejects({{oneCall}}, { status: 404, code: 'not_found' });
