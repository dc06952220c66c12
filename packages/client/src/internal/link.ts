/** The target of the first link with a relation (`Link`, RFC 8288), resolved against the URL that was asked. */
export function linkTarget(headers: Headers, relation: string, base: string): URL | undefined {
  for (const link of headers.get('Link')?.split(/,(?=\s*<)/) ?? []) {
    const [, target = '', relations = ''] = /<([^>]*)>.*?;\s*rel\s*=\s*"?([^";]*)/i.exec(link) ?? [];
    if (relations.toLowerCase().split(/\s+/).includes(relation) && URL.canParse(target, base)) {
      return new URL(target, base);
    }
  }
  return undefined;
}
