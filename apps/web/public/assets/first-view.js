// Runs before the first paint. What the server drew is for a browser that was never here: one that keeps another language, has a visit
// of this link under way or arrives to sign in while somebody is signed in, sees something else as soon as the page's code is there. So
// does a window of another width than the server took it for, and whoever comes for a folder inside.
;(() => {
  const { documentElement: root } = document
  // Enter, before the page's code is there: `typed-ahead.ts` of the sign-in does then what it was pressed for.
  const drawn = () => document.querySelector('#first')
  addEventListener('input', () => drawn()?.removeAttribute('data-sent'))
  addEventListener('keydown', ({ key, target, isComposing }) => {
    const isPress = key === 'Enter' && !isComposing && target instanceof HTMLInputElement
    if (isPress) drawn()?.setAttribute('data-sent', '')
  })
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
