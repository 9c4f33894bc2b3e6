import type { Dashboard } from '@grafana/schema';
import { dashboards } from './all.ts';
import { russian } from './russian.ts';
import { type Translations, translation, withTexts } from './translate.ts';

/** A dashboard as it is committed and imported. */
export interface DashboardFile {
  readonly name: string;
  readonly dashboard: Dashboard;
}

/** Every file under `dashboards/`, as the source would write it now: the English set and the Russian one. */
export function dashboardFiles(): readonly DashboardFile[] {
  const english = dashboards();
  return [...english, ...english.map((one) => translated(one, russian, 'ru'))].map((dashboard) => ({
    name: `${dashboard.uid}.json`,
    dashboard,
  }));
}

/** The file's text. */
export function contentOf({ dashboard }: DashboardFile): string {
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

/** The same dashboard for other readers; its links lead to the dashboards of the same language. */
function translated(dashboard: Dashboard, translations: Translations, language: string): Dashboard {
  const spoken = withTexts(dashboard, (english) => {
    const text = translation(english, translations);
    if (text === undefined) {
      throw new Error(`No text in ${language} for: ${english}`);
    }
    return text;
  });
  const linked = JSON.stringify(spoken).replaceAll(/(?<=\/d\/hosting-[a-z]+)(?=[?"])/g, `-${language}`);
  return { ...(JSON.parse(linked) as Dashboard), uid: `${dashboard.uid}-${language}` };
}
