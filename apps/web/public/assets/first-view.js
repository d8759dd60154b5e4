// Runs before the first paint. What the server drew is for a browser that was never here: one that keeps another language, has a visit
// of this link under way or arrives to sign in while somebody is signed in, sees something else as soon as the page's code is there. So
// does a window of another width than the server took it for, and whoever comes for a folder inside.
;(() => {
  const { documentElement: root } = document
  // What is pressed before the page's code is there: `typed-ahead.ts` of the sign-in presses it then. Enter in a field presses the form's button.
  const press = (/** @type {Element | null | undefined} */ button) => {
    document.querySelector('#first [data-pressed]')?.removeAttribute('data-pressed')
    button?.setAttribute('data-pressed', '')
  }
  addEventListener('input', () => press(null))
  addEventListener('click', ({ target }) => press(target instanceof Element ? target.closest('#first button') : null))
  addEventListener('keydown', ({ key, target, isComposing }) => {
    if (key !== 'Enter' || isComposing || !(target instanceof HTMLInputElement)) return
    press(target.form?.querySelector('#first [data-submit]'))
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
