import { systemClock } from '@godwit/base'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createLocalLink, LocalPage } from '../../features/exchange/local-client/index.ts'
import { createApi } from '../../lib/http.ts'
import { followInstallOffer } from '../../lib/install.ts'
import { followStyles } from '../../lib/load-part.ts'
import { createMessages } from '../../lib/messages.ts'
import { ServicesProvider } from '../../lib/services.tsx'
import { createSessionStore } from '../../lib/session.ts'
import { createLocaleStore, TextsProvider } from '../../lib/texts.tsx'
import { createThemeStore } from '../../lib/theme.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import '../../ui/tokens.css'

const link = createLocalLink()
const locale = createLocaleStore()
const session = createSessionStore()
const services = {
  // Parts that ask a server find nobody signed in: this page has no server but its own computer.
  api: createApi({ session, locale: () => locale.get() }),
  session,
  theme: createThemeStore(),
  clock: systemClock,
  messages: createMessages(systemClock),
  install: followInstallOffer(),
}
const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })

followStyles()

const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no root element')
createRoot(root).render(
  <StrictMode>
    <TextsProvider store={locale}>
      <ServicesProvider value={services}>
        <ErrorBoundary>
          <QueryClientProvider client={client}>
            <LocalPage link={link} />
          </QueryClientProvider>
        </ErrorBoundary>
      </ServicesProvider>
    </TextsProvider>
  </StrictMode>,
)
