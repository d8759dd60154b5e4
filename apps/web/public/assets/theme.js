// Runs before the first paint, so that a page in the dark never flashes white. The choice is written by src/lib/theme.ts.
;(() => {
  const chosen = localStorage.getItem('godwit.theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
})()
