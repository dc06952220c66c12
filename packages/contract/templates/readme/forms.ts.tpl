import { {{form}} } from '{{package}}/schemas';

const { issues = [] } = await {{form}}['~standard'].validate({});
for (const { path, message } of issues) console.log(path, message);
