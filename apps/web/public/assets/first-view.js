// Runs before the first paint. What the server drew is for a browser that was never here: one that keeps another language, has a visit
// of this link under way or arrives to sign in while somebody is signed in, sees something else as soon as the page's code is there. So
// does a window of another width than the server took it for, and whoever comes for a folder inside.
;(() => {
  const { documentElement: root } = document
  // Enter, before the page's code is there: `typed-ahead.ts` of the sign-in does then what it was pressed for.
  const note = ({ type, key, target, isComposing }) => {
    const first = target instanceof HTMLInputElement && target.closest('#first')
    if (!first) return
    if (type === 'input') delete first.dataset.sent
    else if (key === 'Enter' && !isComposing) first.dataset.sent = ''
  }
  for (const type of ['input', 'keydown']) addEventListener(type, note)
  // As `passkey-support.ts` of the sign-in has it.
  const isName = !/^[\d.]+$|:|^\[/.test(location.hostname)
  if (isName && isSecureContext && 'PublicKeyCredential' in window) root.dataset.passkeys = ''
  const [, page, link] = location.pathname.split('/')
  const locale = localStorage.getItem('godwit.locale')
  const known = localStorage.getItem(page === 'share' ? `godwit.visit.${link}` : 'godwit.session')
  const isExpected = known === null && (locale === null || locale === root.lang)
  const { media } = root.dataset
  const fits = media === undefined || (matchMedia(media).matches && location.search === '')
  if (!isExpected || !fits) root.dataset.known = ''
})()
