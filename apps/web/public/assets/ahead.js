// Runs while the page's code is on its way. Who is signed in will need what is inside: its pieces are fetched now, and what the page asks
// the server first is asked now. `src/lib/asked-ahead.ts` hands the answers to the first calls.
;(() => {
  // What a browser keeps may be anything.
  const kept = (/** @type {string} */ key) => {
    try {
      const value = /** @type {unknown} */ (JSON.parse(localStorage.getItem(key) ?? 'null'))
      return new Map(Object.entries(value ?? {}))
    } catch {
      return new Map()
    }
  }
  const session = kept('godwit.session')
  const token = /** @type {unknown} */ (session.get('token'))
  // Arriving there signs out.
  if (typeof token !== 'string' || location.pathname === '/signin') return
  for (const link of document.querySelectorAll('link[data-inside]'))
    link.setAttribute('rel', link.getAttribute('data-inside') ?? '')
  const remembered = kept('godwit.space')
  const isOwn = remembered.get('userId') === session.get('userId')
  const space = Number(new URLSearchParams(location.search).get('space') ?? (isOwn ? remembered.get('spaceId') : 0))
  const headers = {
    authorization: `Bearer ${token}`,
    'accept-language': localStorage.getItem('godwit.locale') ?? document.documentElement.lang,
  }
  const answers = new Map()
  for (const asked of document.currentScript?.dataset['asks']?.split(' ') ?? []) {
    const address = asked.replace('?spaceId=', space > 0 ? `?spaceId=${space}` : '')
    answers.set(
      address,
      fetch(address, { headers }).catch(() => undefined),
    )
  }
  globalThis.askedAhead = { token, answers }
})()
