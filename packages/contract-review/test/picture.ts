/** A picture of a report, as a pull request shows it. */
import { Marked, type Tokens } from 'marked';

const STYLE = `
body { margin: 0; font: 14px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: #1f2328; }
.comment { border: 1px solid #d1d9e0; border-radius: 6px; margin: 1px; background: #ffffff; }
.who { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; padding: 8px 16px; color: #59636e; }
.who b { color: #1f2328; } .text { padding: 0 16px 2px; }
h2 { font-size: 21px; border-bottom: 1px solid #d1d9e0b3; padding-bottom: 6px; margin: 16px 0 12px; } h3 { font-size: 17px; margin: 16px 0 10px; }
p, ul { margin: 0 0 12px; } ul { padding-left: 28px; }
code { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: #818b981f; border-radius: 6px; padding: 2px 5px; }
pre { background: #f6f8fa; border-radius: 6px; padding: 12px; margin: 0 0 12px; } pre code { background: none; padding: 0; }
table { border-collapse: collapse; margin-bottom: 12px; } th, td { border: 1px solid #d1d9e0; padding: 5px 10px; text-align: left; }`;

/** Marked in the strict HTML of an SVG. */
const marked = new Marked({
  renderer: {
    html: () => '',
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑' : '☐'),
  },
});

/** @param height - of the picture, in pixels: the end of a longer report is cut off */
export function picture(markdown: string, height: number): string {
  const html = marked.parse(markdown, { async: false }).replaceAll(/<(br|hr)>/g, '<$1/>');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="880" height="${height}" viewBox="0 0 880 ${height}">
<title>A comment on a pull request</title>
<foreignObject width="880" height="${height}"><body xmlns="http://www.w3.org/1999/xhtml"><style>${STYLE}</style>
<div class="comment"><div class="who"><b>github-actions</b> commented</div><div class="text">
${html.trim()}
</div></div></body></foreignObject></svg>
`;
}
