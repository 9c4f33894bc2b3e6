import Negotiator from 'negotiator';

const text = 'text/plain; version=0.0.4';
const openMetrics = 'application/openmetrics-text; version=1.0.0';
/** How a scraper wants names escaped that older ones can't read; all of ours are plain, so that any will do. */
const escapings = ['allow-utf-8', 'underscores', 'dots', 'values'];

/** In the order in which they are preferred where the scraper does not care. */
const mediaTypes = [text, openMetrics].flatMap((type) => [
  type,
  ...escapings.map((escaping) => `${type}; escaping=${escaping}`),
]);

/** How to answer a scrape. */
export interface Representation {
  readonly format: 'text' | 'openmetrics';
  readonly contentType: string;
  readonly encoding: 'gzip' | 'identity';
}

/** The best representation for the headers of a request; the text format where none that they ask for exists. */
export function negotiate(headers: Readonly<Record<string, string | string[] | undefined>>): Representation {
  const negotiator = new Negotiator({ headers: { ...headers } });
  const mediaType = negotiator.mediaTypes(mediaTypes)[0] ?? text;
  const [type, version, ...escaping] = mediaType.split('; ');
  return {
    format: mediaType.startsWith(openMetrics) ? 'openmetrics' : 'text',
    contentType: [type, version, 'charset=utf-8', ...escaping].join('; '),
    encoding: negotiator.encoding(['gzip', 'identity']) === 'gzip' ? 'gzip' : 'identity',
  };
}
