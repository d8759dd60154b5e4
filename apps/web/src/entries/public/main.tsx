import { systemClock } from '@godwit/base'
import { loadTextBundle } from '@godwit/i18n/portal'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { askAhead, createVisit, diskPart } from '../../features/exchange/visits/index.ts'
import { givenAnswers } from '../../lib/given-answers.ts'
import { followInstallOffer } from '../../lib/install.ts'
import { followStyles, loadPart } from '../../lib/load-part.ts'
import { createMessages } from '../../lib/messages.ts'
import { ServicesProvider } from '../../lib/services.tsx'
import { createLocaleStore, TextsProvider } from '../../lib/texts.tsx'
import { createThemeStore } from '../../lib/theme.ts'
import '../../ui/tokens.css'
import { PublicPage } from './public-page.tsx'

const locale = createLocaleStore()
const visit = askAhead(
  createVisit(location.pathname, () => locale.get(), location.hash),
  givenAnswers(),
)
const services = {
  api: visit.api,
  session: visit.session,
  theme: createThemeStore(),
  clock: systemClock,
  messages: createMessages(systemClock),
  install: followInstallOffer(),
}

followStyles()

// What the first screen says and shows is fetched together, not each when the one before it is drawn.
for (const name of ['share', 'inside'] as const) {
  // Whoever needs the texts tries again.
  loadPart(() => loadTextBundle(locale.get(), name)).catch(() => undefined)
}
diskPart.prefetch()

const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no root element')
createRoot(root).render(
  <StrictMode>
    <TextsProvider store={locale}>
      <ServicesProvider value={services}>
        <PublicPage visit={visit} />
      </ServicesProvider>
    </TextsProvider>
  </StrictMode>,
)
