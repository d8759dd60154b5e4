import { systemClock } from '@godwit/base'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createVisit } from '../../features/exchange/visits/index.ts'
import { followInstallOffer } from '../../lib/install.ts'
import { followStyles } from '../../lib/load-part.ts'
import { createMessages } from '../../lib/messages.ts'
import { ServicesProvider } from '../../lib/services.tsx'
import { createLocaleStore, TextsProvider } from '../../lib/texts.tsx'
import { createThemeStore } from '../../lib/theme.ts'
import '../../ui/tokens.css'
import { PublicPage } from './public-page.tsx'

const locale = createLocaleStore()
const visit = createVisit(location.pathname, () => locale.get(), location.hash)
const services = {
  api: visit.api,
  session: visit.session,
  theme: createThemeStore(),
  clock: systemClock,
  messages: createMessages(systemClock),
  install: followInstallOffer(),
}

followStyles()

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
