/** Why a text is not a path for the metrics page; undefined if it is. */
export function validateTelemetryPath(text: string): string | undefined {
  if (!/^(?:\/[\w.~-]+)+$/.test(text)) {
    return 'is not a path; start it with / and use only letters, digits, . _ ~ and -, such as /metrics';
  }
  return /^\/(?:-\/|-$|sd$|status$|accounts(?:\/|$)|style(?:\/|$))/.test(text)
    ? 'is reserved by the exporter; choose another path, such as /metrics'
    : undefined;
}
