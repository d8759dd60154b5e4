/** What a field of date and time holds, in the time zone of the browser. */
export function momentIn(value: string): number | undefined {
  const at = new Date(value).getTime()
  return Number.isNaN(at) ? undefined : at
}

export function localMoment(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 16)
}
