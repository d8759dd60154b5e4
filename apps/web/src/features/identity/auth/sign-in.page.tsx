import { useEffect, useState } from 'react'
import { lazyModule, lazyPart, lazyWindow } from '../../../lib/lazy.tsx'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { CardPage } from '../../../ui/card-page.tsx'
import {
  Company,
  LanguageSwitch,
  pageBackground,
  productName,
  useSite,
  useTabTitle,
} from '../../foundation/site/index.ts'
import { FactorSetUp } from '../factor-set-up/index.ts'
import type { EntryPageProps } from './entry-paths.ts'
import { handover } from './handover.ts'
import { Hero } from './hero.tsx'
import { SignInForm } from './sign-in-form.tsx'
import styles from './sign-in.module.css'
import { signedIn } from './signed-in.ts'
import { type Attempt, useSignIn } from './use-sign-in.ts'

const EmailCodeDialog = lazyWindow(
  lazyModule(() => import('./email-code.dialog.tsx'), 'identity'),
  (module) => module.EmailCodeDialog,
)
const SecondFactor = lazyPart(
  lazyModule(() => import('./second-factor.tsx'), 'identity'),
  (module) => module.SecondFactor,
)

/** What stands between the right password and the session. */
type Demand =
  | { readonly kind: 'email-code' | 'second-factor'; readonly attempt: Attempt }
  | { readonly kind: 'set-up'; readonly ticket: string }

export function SignInPage({ onGo }: EntryPageProps) {
  const texts = useTexts()
  const site = useSite()
  const { session, clock } = useServices()
  const [demand, setDemand] = useState<Demand>()
  const signIn = useSignIn({
    onDemand: (kind, attempt) => setDemand({ kind, attempt }),
    onSetUp: (ticket) => setDemand({ kind: 'set-up', ticket }),
    onResetRequired: (account, oldPassword) => {
      handover.set({ account, oldPassword })
      onGo('/reset-password')
    },
  })
  const reason = session.endReason()
  useTabTitle(texts('sign-in.title'))
  // What a change of the password left behind is over once somebody is back here.
  useEffect(() => handover.set(undefined), [])
  const isSecondStep = demand?.kind === 'second-factor' || demand?.kind === 'set-up'
  return (
    <CardPage
      title={
        isSecondStep ? texts('sign-in.factor.title') : texts('sign-in.welcome', { product: productName(site, texts) })
      }
      position={site.position}
      background={pageBackground(site)}
      hero={<Hero />}
      foot={<Foot />}
      imprint={<Company />}
    >
      {demand?.kind === 'set-up' ? (
        <FactorSetUp
          ticket={demand.ticket}
          onSignedIn={(reply) => session.set(signedIn(reply, clock))}
          onBack={() => setDemand(undefined)}
        />
      ) : demand?.kind === 'second-factor' ? (
        <SecondFactor
          onSubmit={(secondFactor) => signIn({ ...demand.attempt, secondFactor })}
          onBack={() => setDemand(undefined)}
        />
      ) : (
        <SignInForm
          notice={site.isPaused ? texts('site.paused') : reason && texts(`sign-in.ended.${reason}`)}
          onSubmit={signIn}
          onForgot={site.resetPasswordSwitch === 1 ? () => onGo('/forgot-password') : undefined}
        />
      )}
      {demand?.kind === 'email-code' && (
        <EmailCodeDialog
          account={demand.attempt.account}
          onSubmit={(emailCode) => signIn({ ...demand.attempt, emailCode })}
          onClose={() => setDemand(undefined)}
        />
      )}
    </CardPage>
  )
}

function Foot() {
  return (
    <>
      <LanguageSwitch />
      <AppLinks />
    </>
  )
}

/** Phones are offered the app, where the site has one. */
function AppLinks() {
  const texts = useTexts()
  const { androidLink, iosLink } = useSite()
  if (androidLink === '' && iosLink === '') return null
  return (
    <nav className={styles['apps']} aria-label={texts('sign-in.get-app')}>
      {androidLink !== '' && <a href={androidLink}>{texts('sign-in.get-app.android')}</a>}
      {iosLink !== '' && <a href={iosLink}>{texts('sign-in.get-app.ios')}</a>}
    </nav>
  )
}
