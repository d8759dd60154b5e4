/** The fragment never leaves the browser, so a link with `#setup=TOKEN` shows the token to no log on the way. */
export function tokenInFragment(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('setup') ?? undefined
}
