/* global Scalar -- scalar.js, which the page loads first */
Scalar.createApiReference('#app', {
  url: '/docs/openapi.json',
  // The document brings its samples; the page would add its own, for twenty languages.
  hiddenClients: true,
  // Without it, the operations of all tags but the first are hidden until a reader opens them, also from the browser's search.
  defaultOpenAllTags: true,
  // The page's own grey and red are too faint for small text (WCAG 2.2, criterion 1.4.3).
  customCss: `.light-mode { --scalar-color-3: #6b6b6b; --scalar-color-red: #c70005 }
.dark-mode { --scalar-color-3: #9a9a9a; --scalar-color-red: #ff6b66 }`,
  // No request to another host, and no offer to send one.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
});
