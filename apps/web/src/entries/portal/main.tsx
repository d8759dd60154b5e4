import { systemClock } from '@godwit/base'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { answeredAhead, givenAnswers } from '../../lib/given-answers.ts'
import { createApi } from '../../lib/http.ts'
import { followInstallOffer } from '../../lib/install.ts'
import { followStyles } from '../../lib/load-part.ts'
import { createMessages } from '../../lib/messages.ts'
import { ServicesProvider } from '../../lib/services.tsx'
import { createSessionStore } from '../../lib/session.ts'
import { createLocaleStore, TextsProvider } from '../../lib/texts.tsx'
import { createThemeStore } from '../../lib/theme.ts'
import '../../ui/tokens.css'
import { Gate } from './gate.tsx'

const session = createSessionStore()
const locale = createLocaleStore()
const api = answeredAhead(createApi({ session, locale: () => locale.get() }), givenAnswers())
const services = {
  api,
  session,
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
        <Gate />
      </ServicesProvider>
    </TextsProvider>
  </StrictMode>,
)
