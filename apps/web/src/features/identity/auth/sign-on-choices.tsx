import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { useSite } from '../../foundation/site/index.ts'
import { leaveForProvider } from './sign-on.ts'

/** Identity providers where people sign in instead. */
export function SignOnChoices({ isBusy }: { readonly isBusy: boolean }) {
  const texts = useTexts()
  const { api } = useServices()
  const { signOns } = useSite()
  const [isLeaving, setLeaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const leave = (id: number): void => {
    setLeaving(true)
    setFailure(undefined)
    leaveForProvider(api, id).catch((error: unknown) => {
      setFailure(error)
      setLeaving(false)
    })
  }
  return (
    <>
      {signOns.map(({ id, nameZH, nameEN }) => (
        <Button key={id} size="large" disabled={isBusy || isLeaving} onClick={() => leave(id)}>
          <LogIn size={18} aria-hidden="true" />
          {texts('sign-in.with', { name: texts.locale === 'zh-CN' ? nameZH : nameEN })}
        </Button>
      ))}
      <FailureNotice failure={failure} />
    </>
  )
}
