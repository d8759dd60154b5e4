import { LIMITS } from '@godwit/contract/limits'
import { useEffect, useRef } from 'react'
import { isFailure } from '../../../lib/http.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { CardPage } from '../../../ui/card-page.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { Company, LanguageSwitch, pageBackground, useSite } from '../../foundation/site/index.ts'

/** @param onSubmit throws what the server answers */
export function VisitLogin({ onSubmit }: { readonly onSubmit: (password: string) => Promise<void> }) {
  const texts = useTexts()
  const site = useSite()
  const field = useRef<HTMLInputElement>(null)
  const form = useForm({
    initial: { password: '' },
    faultsOf: () => ({}),
    send: ({ password }) => onSubmit(password.trim()),
    fieldOf: (error) => (isFailure(error, 'LINK_PASSWORD_WRONG') ? 'password' : undefined),
  })
  const { refused, failure, isBusy, values } = form
  useEffect(() => {
    if (refused !== undefined) field.current?.select()
  }, [refused])
  return (
    <CardPage
      title={texts('share.login.title')}
      lead={texts('share.login.lead')}
      position={site.position}
      background={pageBackground(site)}
      foot={<LanguageSwitch />}
      imprint={<Company />}
    >
      <Form onSubmit={(element) => values.password.trim() !== '' && form.submit(element)}>
        <FailureNotice failure={failure} />
        <PasswordField
          {...form.field('password')}
          ref={field}
          label={texts('share.login.password')}
          error={refused === undefined ? undefined : texts('share.login.wrong')}
          maxLength={LIMITS.textInputMax}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <Button kind="solid" size="large" type="submit" disabled={isBusy}>
          {texts('share.login.submit')}
        </Button>
      </Form>
    </CardPage>
  )
}
