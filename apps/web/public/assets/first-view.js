// Runs before the first paint. What the server drew is for a browser that was never here: one that keeps another language, or has
// a visit of this link under way, sees something else as soon as the page's code is there. So does a window of another width than the
// server took it for, and whoever comes for a folder inside.
;(() => {
  const locale = localStorage.getItem('godwit.locale')
  const visit = localStorage.getItem(`godwit.visit.${location.pathname.split('/')[2]}`)
  const { lang, dataset } = document.documentElement
  const isExpected = visit === null && (locale === null || locale === lang)
  const fits = dataset.media === undefined || (matchMedia(dataset.media).matches && location.search === '')
  if (!isExpected || !fits) dataset.known = ''
})()
