import { PasskeysSection } from './passkeys.section.tsx'
import { SecondFactorSection } from './second-factor.section.tsx'
import { SessionsSection } from './sessions.section.tsx'
import { SignInsSection } from './sign-ins.section.tsx'

/** How this account is signed in to, from where, and when it was. */
export function SecurityPage() {
  return (
    <>
      <SecondFactorSection />
      <PasskeysSection />
      <SessionsSection />
      <SignInsSection />
    </>
  )
}
