import { dashboards } from './all.ts';

/** A dashboard as it is committed and imported. */
export interface DashboardFile {
  readonly name: string;
  readonly content: string;
}

/** Every file under `dashboards/`, as the source would write it now. */
export function dashboardFiles(): readonly DashboardFile[] {
  return dashboards().map((dashboard) => ({
    name: `${dashboard.uid}.json`,
    content: `${JSON.stringify(dashboard, null, 2)}\n`,
  }));
}
