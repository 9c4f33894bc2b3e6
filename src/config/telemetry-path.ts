/** What is wrong with the path of the metrics page; undefined where nothing is. */
export function telemetryPathComplaint(text: string): string | undefined {
  if (!/^(?:\/[\w.~-]+)+$/.test(text)) {
    return 'is not a path; begin it with / and use letters, digits, . _ ~ and - only, such as /metrics';
  }
  return /^\/(?:-\/|-$|sd$)/.test(text)
    ? 'is a path of the exporter itself; choose another, such as /metrics'
    : undefined;
}
