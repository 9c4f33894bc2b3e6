/** The folder of package.json, docs and alerts. A build is one folder deeper than the source, in `dist`. */
export const packageFolder = new URL(import.meta.url.endsWith('.js') ? '../../../..' : '../../..', import.meta.url);
