import { is{{Name}}Error } from '{{package}}';

try {
  await {{oneIndented}};
} catch (error) {
  if (!is{{Name}}Error(error)) throw error;
  console.error(error.message); // {{oneName}} failed: {{failed}} … (request …)
  if (error.status === 429) console.error('Seconds to wait:', error.retryAfter);
{{?status}}  if (is{{Name}}Error(error, '{{oneName}}', {{status}})) console.error(error.body);
}
