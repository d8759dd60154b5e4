const VERSION = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/

export function isVersion(text: string): boolean {
  return VERSION.test(text)
}

/** Negative when `left` is older; text that is not a version is older than every version. */
export function compareVersions(left: string, right: string): number {
  const parts = (text: string): readonly number[] => VERSION.exec(text)?.slice(1).map(Number) ?? [-1, -1, -1]
  const there = parts(right)
  const difference = parts(left).map((part, at) => part - (there[at] ?? 0))
  return difference.find((part) => part !== 0) ?? 0
}

export function isOlder(version: string, than: string): boolean {
  return compareVersions(version, than) < 0
}
