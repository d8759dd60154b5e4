// Runs before the first paint. What the server drew is for a browser that was never here: one that keeps another language, or has
// a visit of this link under way, sees something else as soon as the page's code is there.
;(() => {
  const locale = localStorage.getItem('godwit.locale')
  const visit = localStorage.getItem(`godwit.visit.${location.pathname.split('/')[2]}`)
  const isExpected = visit === null && (locale === null || locale === document.documentElement.lang)
  if (!isExpected) document.documentElement.dataset.known = ''
})()
