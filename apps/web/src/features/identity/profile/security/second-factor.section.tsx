import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { lazyModule, lazyWindow } from '../../../../lib/lazy.tsx'
import { useServices } from '../../../../lib/services.tsx'
import { type PortalKey, useTexts } from '../../../../lib/texts.tsx'
import { Button } from '../../../../ui/button.tsx'
import { SectionCard } from '../../../../ui/section-card.tsx'
import { Tag } from '../../../../ui/tag.tsx'
import { Loaded } from '../loaded.tsx'
import styles from './security.module.css'
import { useSecondFactor, useSecurityRefresh } from './security-query.ts'

const dialogs = lazyModule(() => import('./second-factor.dialogs.tsx'))
const EnrolDialog = lazyWindow(dialogs, (module) => module.EnrolDialog)
const RenewDialog = lazyWindow(dialogs, (module) => module.RenewDialog)
const DisableDialog = lazyWindow(dialogs, (module) => module.DisableDialog)

type Question = 'enrol' | 'renew' | 'disable'

/** The second step at sign-in: on or off, and the codes for when the phone is away. */
export function SecondFactorSection() {
  const texts = useTexts()
  const { messages } = useServices()
  const query = useSecondFactor()
  const refresh = useSecurityRefresh()
  const [question, setQuestion] = useState<Question>()
  const close = (): void => setQuestion(undefined)
  const changed = (message?: PortalKey): void => {
    void refresh('factor')
    if (message !== undefined) messages.notify('success', texts(message))
  }
  return (
    <SectionCard title={texts('security.factor')} lead={texts('security.factor.lead')}>
      <Loaded query={query}>
        {({ totp, required, recoveryCodesLeft }) => (
          <div className={styles['state']}>
            <Smartphone size={20} aria-hidden="true" />
            <Tag tone={totp ? 'good' : 'plain'}>{texts(totp ? 'security.factor.on' : 'security.factor.off')}</Tag>
            {totp && <span>{texts('security.factor.codes-left', { count: recoveryCodesLeft })}</span>}
            {required && <span>{texts('security.factor.required')}</span>}
            <div className={styles['buttons']}>
              {totp ? (
                <>
                  <Button onClick={() => setQuestion('renew')}>{texts('security.factor.renew')}</Button>
                  {!required && (
                    <Button kind="danger" onClick={() => setQuestion('disable')}>
                      {texts('security.factor.disable')}
                    </Button>
                  )}
                </>
              ) : (
                <Button kind="solid" onClick={() => setQuestion('enrol')}>
                  {texts('security.factor.enable')}
                </Button>
              )}
            </div>
          </div>
        )}
      </Loaded>
      {question === 'enrol' && <EnrolDialog onClose={close} onChanged={() => changed('security.factor.enabled')} />}
      {question === 'renew' && <RenewDialog onClose={close} onChanged={() => changed()} />}
      {question === 'disable' && (
        <DisableDialog onClose={close} onChanged={() => changed('security.factor.disabled')} />
      )}
    </SectionCard>
  )
}
