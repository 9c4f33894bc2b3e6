import Negotiator from 'negotiator';

const text = 'text/plain; version=0.0.4';
const openMetrics = 'application/openmetrics-text; version=1.0.0';
/** Escaping schemes that a scraper may request. No scheme changes the exporter's names, because they are plain ASCII. */
const escapings = ['allow-utf-8', 'underscores', 'dots', 'values'];

/** Media types, best first. This order applies if the scraper has no preference. */
const mediaTypes = [text, openMetrics].flatMap((type) => [
  type,
  ...escapings.map((escaping) => `${type}; escaping=${escaping}`),
]);

export type Representation = ReturnType<typeof negotiate>;

/** The best representation for the headers of a request; the text format if the scraper accepts neither format. */
export function negotiate(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const negotiator = new Negotiator({ headers: { ...headers } });
  const mediaType = negotiator.mediaTypes(mediaTypes)[0] ?? text;
  const [type, version, ...escaping] = mediaType.split('; ');
  return {
    format: mediaType.startsWith(openMetrics) ? 'openmetrics' : 'text',
    contentType: [type, version, 'charset=utf-8', ...escaping].join('; '),
    encoding: negotiator.encoding(['gzip', 'identity']) === 'gzip' ? 'gzip' : 'identity',
  } as const;
}
