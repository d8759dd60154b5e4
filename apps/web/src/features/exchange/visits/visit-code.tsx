import { LIMITS } from '@godwit/contract/limits'
import { visits } from '@godwit/contract/table/visits'
import { useState } from 'react'
import { isFailure } from '../../../lib/http.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { CardPage } from '../../../ui/card-page.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Company, LanguageSwitch, pageBackground, useSite } from '../../foundation/site/index.ts'
import { type BeginOptions, personOf, type Visit } from './visit.ts'

export interface VisitCodeProps {
  readonly visit: Visit
  /** Of the personal address, masked; '' for whoever has to type one. */
  readonly email: string
  readonly password: string | undefined
  /** Throws what the server answers. */
  readonly onSubmit: (shown: Omit<BeginOptions, 'now'>) => Promise<void>
}

/** For whom a link was mailed to: first the address, then the code that was mailed there. Nothing is mailed without a press. */
export function VisitCode(props: VisitCodeProps) {
  const { email } = props
  const texts = useTexts()
  const site = useSite()
  const { form, sentTo, sentKey, typeCode, askAgain } = useCodeForm(props)
  const { refused, failure, isBusy } = form
  const errorOf = (name: 'address' | 'code') =>
    refused?.name === name ? texts.failure(refused.error) : form.field(name).error
  return (
    <CardPage
      title={texts('share.code.title')}
      lead={sentTo === undefined ? texts('share.code.lead') : texts(sentKey, { email: sentTo })}
      position={site.position}
      background={pageBackground(site)}
      foot={<LanguageSwitch />}
      imprint={<Company />}
    >
      <Form onSubmit={form.submit}>
        <FailureNotice failure={failure} />
        {sentTo === undefined && email === '' && (
          <TextField
            {...form.field('address')}
            error={errorOf('address')}
            label={texts('share.code.address')}
            type="email"
            inputMode="email"
            autoComplete="email"
            maxLength={LIMITS.textInputMax}
            autoFocus
          />
        )}
        {sentTo !== undefined && (
          <TextField
            {...form.field('code')}
            error={errorOf('code')}
            label={texts('share.code.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            maxLength={32}
            autoFocus
          />
        )}
        <Button kind="solid" size="large" type="submit" disabled={isBusy}>
          {sentTo === undefined
            ? email === ''
              ? texts('share.code.send')
              : texts('share.code.send-to', { email })
            : texts('share.code.submit')}
        </Button>
        <OtherWay isSent={sentTo !== undefined} isBusy={isBusy} onHave={typeCode} onAgain={askAgain} />
      </Form>
    </CardPage>
  )
}

/** The form of both steps. `sentTo` is undefined before the second. */
function useCodeForm({ visit, email, password, onSubmit }: VisitCodeProps) {
  const texts = useTexts()
  const [sentTo, setSentTo] = useState<string>()
  const [sentKey, setSentKey] = useState<'share.code.sent' | 'share.code.type'>('share.code.sent')
  const shown = password === undefined ? {} : { password }
  const form = useForm({
    initial: { address: '', code: '' },
    faultsOf: ({ address, code }) => ({
      address: email === '' && address.trim() === '' ? texts('common.required') : undefined,
      code: sentTo !== undefined && code.trim() === '' ? texts('common.required') : undefined,
    }),
    async send({ address, code }) {
      if (sentTo === undefined) await mailCode(address.trim())
      else await onSubmit({ ...shown, address: address.trim(), code: code.trim() })
    },
    fieldOf: (error) => fieldOf(error),
  })
  const askForCode = (address: string, isMailed: boolean): void => {
    setSentKey(isMailed ? 'share.code.sent' : 'share.code.type')
    setSentTo(address === '' ? email : address)
  }
  const mailCode = async (address: string): Promise<void> => {
    const { person = {} } = personOf(visit, address)
    const passwd = password === undefined ? {} : { passwd: password }
    const language = texts.locale === 'zh-CN' ? 0 : 1
    await visit.api.call(visits.sendCode, { body: { url: visit.linkId, ...passwd, person, language } })
    askForCode(address, true)
  }
  const typeCode = (element: HTMLFormElement): void =>
    form.submit(element, ({ address }) => Promise.resolve(askForCode(address.trim(), false)))
  return { form, sentTo, sentKey, typeCode, askAgain: () => setSentTo(undefined) }
}

interface OtherWayProps {
  readonly isSent: boolean
  readonly isBusy: boolean
  readonly onHave: (form: HTMLFormElement) => void
  readonly onAgain: () => void
}

/** For whom has a code already, and for whom it did not reach. */
function OtherWay({ isSent, isBusy, onHave, onAgain }: OtherWayProps) {
  const texts = useTexts()
  if (isSent) return <Button onClick={onAgain}>{texts('share.code.again')}</Button>
  return (
    <Button disabled={isBusy} onClick={({ currentTarget }) => currentTarget.form && onHave(currentTarget.form)}>
      {texts('share.code.have')}
    </Button>
  )
}

function fieldOf(error: unknown): 'address' | 'code' | undefined {
  if (isFailure(error, 'EMAIL_INVALID')) return 'address'
  return isFailure(error, 'EMAIL_CODE_WRONG') || isFailure(error, 'EMAIL_CODE_EXPIRED') ? 'code' : undefined
}
