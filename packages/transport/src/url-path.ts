/** What comes before the query. */
export function pathOf(url: string | undefined = ''): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
