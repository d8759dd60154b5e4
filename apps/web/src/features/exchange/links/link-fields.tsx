import { LINK_AUDIENCES, SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { LIMITS } from '@godwit/contract/limits'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatMinute } from '../../../lib/formats.ts'
import { useCopy } from '../../../lib/copy-text.ts'
import { randomLetters } from '../../../lib/random-letters.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import type { FormState } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { PasswordField } from '../../../ui/password-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../../identity/auth/index.ts'
import { AskedFields } from './asked-fields.tsx'
import { EmailChips } from './email-chips.tsx'
import { type Aliases, dayOf, emailsIn, EXPIRY_DAYS, type LinkField, peopleIn, peopleText } from './link-form.ts'
import { LinkMailPreview } from './link-mail-preview.tsx'
import styles from './link-fields.module.css'
import { RequestFields } from './request-fields.tsx'
import { PeoplePicker } from './people-picker.tsx'

export interface AliasState {
  readonly files: readonly string[]
  readonly values: Aliases
  readonly faults: Readonly<Record<string, string>>
  readonly set: (values: Aliases) => void
}

export interface LinkFieldsProps {
  readonly form: FormState<LinkField>
  readonly isInvite: boolean
  /** Encrypted end to end: without the terms that only a server which reads the files could keep. */
  readonly isSealed: boolean
  /** Of what is shared, in the mail. */
  readonly name: string
  /** When the link that is changed ends, Unix seconds; 0 for a new one and for never. */
  readonly expires: number
  /** Absent: what is shared has no files that could be called otherwise. */
  readonly aliases: AliasState | undefined
}

/** What most links need stands open; the rest behind two headings. */
export function LinkFields({ form, isInvite, isSealed, name, expires, aliases }: LinkFieldsProps) {
  const texts = useTexts()
  const { values } = form
  const errorOf = useErrorOf(form)
  const isForGuests = values.audience === 'anyone'
  const isAlwaysBound = useSite().linkBinding === 2
  const isMailedByPerson = useAccount().user.linkMailMode === 1
  return (
    <>
      {!isSealed && <Audience form={form} />}
      <Expiry form={form} expires={expires} />
      {isForGuests && <Password form={form} />}
      {!isInvite && !isSealed && (
        <Switch
          form={form}
          name="allowDownload"
          label={texts('links.allow-download')}
          hint={texts('links.allow-download-hint')}
        />
      )}
      <details className={styles['more']} open={values.emails !== ''}>
        <summary>{texts(isForGuests && !isSealed ? 'links.section.mail' : 'links.section.notify')}</summary>
        <div className={styles['section']}>
          {isForGuests && !isSealed && (
            <EmailChips
              label={texts('links.emails')}
              hint={texts('links.emails-hint')}
              emails={emailsIn(values.emails)}
              error={errorOf('emails')}
              onChange={(emails) => form.set({ emails: emails.join(' ') })}
            />
          )}
          {isForGuests && values.emails !== '' && (
            <>
              <Mailing form={form} isInvite={isInvite} name={name} />
              <Switch
                form={form}
                name="onlyRecipients"
                label={texts('links.only-recipients')}
                hint={texts(isMailedByPerson ? 'links.only-recipients-by-person' : 'links.only-recipients-hint')}
                isOff={isMailedByPerson}
              />
            </>
          )}
          <Switch form={form} name="notify" label={texts(isInvite ? 'links.notify-upload' : 'links.notify-download')} />
        </div>
      </details>
      {isInvite && !isSealed && <RequestFields form={form} isChecked={errorOf('request') !== undefined} />}
      {isInvite && isForGuests && <AskedFields form={form} error={errorOf('askOwn')} />}
      <details className={styles['more']} open={aliases !== undefined && Object.keys(aliases.values).length > 0}>
        <summary>{texts('links.section.more')}</summary>
        <div className={styles['section']}>
          <TextField
            {...form.field('description')}
            label={texts('links.description')}
            hint={texts('links.description-hint')}
            maxLength={LIMITS.remarkMax}
          />
          {isForGuests && (
            <Switch
              form={form}
              name="bind"
              label={texts('links.bind')}
              hint={texts(isAlwaysBound ? 'links.bind-always' : 'links.bind-hint')}
              isFixed={isAlwaysBound}
            />
          )}
          <div className={styles['pair']}>
            <TextField {...form.field('notBefore')} type="date" label={texts('links.not-before')} />
            {!isInvite && (
              <TextField {...form.field('limit')} inputMode="numeric" maxLength={6} label={texts('links.limit')} />
            )}
          </div>
          {aliases !== undefined && <AliasFields {...aliases} />}
        </div>
      </details>
    </>
  )
}

function useErrorOf(form: FormState<LinkField>): (name: LinkField) => string | undefined {
  const texts = useTexts()
  return (name) => (form.refused?.name === name ? texts.failure(form.refused.error) : form.field(name).error)
}

function Audience({ form }: { readonly form: FormState<LinkField> }) {
  const texts = useTexts()
  const errorOf = useErrorOf(form)
  const { audience, people } = form.values
  return (
    <div className={styles['audience']}>
      <SelectField
        {...selectFacts(form, 'audience')}
        label={texts('links.audience')}
        hint={audience === 'anyone' ? undefined : texts('links.audience.inside-hint')}
        choices={LINK_AUDIENCES.map((value) => ({ value, label: texts(`links.audience.${value}`) }))}
      />
      {audience === 'named' && (
        <PeoplePicker
          named={peopleIn(people)}
          error={errorOf('people')}
          onChange={(named) => form.set({ people: peopleText(named) })}
        />
      )}
    </div>
  )
}

function Expiry({ form, expires }: { readonly form: FormState<LinkField>; readonly expires: number }) {
  const texts = useTexts()
  const { clock } = useServices()
  const errorOf = useErrorOf(form)
  const same =
    expires === 0 ? [] : [{ value: 'same', label: texts('links.expiry.same', { time: formatMinute(expires) }) }]
  return (
    <div className={styles['pair']}>
      <SelectField
        {...selectFacts(form, 'expiry')}
        label={texts('links.expiry')}
        choices={[
          ...same,
          ...EXPIRY_DAYS.map((days) => ({ value: String(days), label: texts('links.expiry.days', { days }) })),
          { value: 'date', label: texts('links.expiry.date') },
          { value: 'never', label: texts('links.expiry.never') },
        ]}
      />
      {form.values.expiry === 'date' && (
        <TextField
          {...form.field('date')}
          error={errorOf('date')}
          type="date"
          min={dayOf(Math.floor(clock.now() / 1000))}
          label={texts('links.date')}
          required
        />
      )}
    </div>
  )
}

function Password({ form }: { readonly form: FormState<LinkField> }) {
  const texts = useTexts()
  const copy = useCopy()
  const errorOf = useErrorOf(form)
  const { values } = form
  return (
    <div className={styles['password']}>
      <Switch form={form} name="hasPassword" label={texts('links.password-switch')} />
      {values.hasPassword === 'on' && (
        <div className={styles['passwordLine']}>
          <PasswordField
            {...form.field('password')}
            error={errorOf('password')}
            label={texts('links.password')}
            autoComplete="off"
            spellCheck={false}
            maxLength={LIMITS.textInputMax}
          />
          <Button onClick={() => form.set({ password: randomLetters(LIMITS.sharePasswordGenerated) })}>
            <RefreshCw size={16} aria-hidden="true" />
            {texts('links.password-new')}
          </Button>
          <Button onClick={() => void copy(values.password, { message: texts('links.password-copied') })}>
            {texts('links.copy')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Mailing({ form, isInvite, name }: Pick<LinkFieldsProps, 'form' | 'isInvite' | 'name'>) {
  const texts = useTexts()
  const [isShown, setShown] = useState(false)
  const { mailLanguage, mailText } = form.values
  const wanted = {
    shareUrlType: SHARE_URL_TYPE[isInvite ? 'upload' : 'download'],
    name,
    shareEmailContent: mailText,
    emailLanguage: mailLanguage === '0' ? 0 : 1,
  } as const
  return (
    <>
      <SelectField
        {...selectFacts(form, 'mailLanguage')}
        label={texts('links.mail-language')}
        choices={[
          { value: '0', label: texts('language.zh-CN') },
          { value: '1', label: texts('language.en-US') },
        ]}
      />
      <TextField
        {...form.field('mailText')}
        label={texts('links.mail-text')}
        hint={texts('links.mail-text-hint')}
        maxLength={4096}
      />
      <div>
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {texts(isShown ? 'links.mail-preview.hide' : 'links.mail-preview')}
        </Button>
      </div>
      {isShown && (
        <section className={styles['section']} aria-label={texts('links.mail-preview')}>
          <LinkMailPreview wanted={wanted} />
        </section>
      )}
    </>
  )
}

function AliasFields({ files, values, faults, set }: AliasState) {
  const texts = useTexts()
  return (
    <fieldset className={styles['aliases']}>
      <legend>{texts('links.aliases')}</legend>
      {files.map((file) => (
        <TextField
          key={file}
          label={file}
          placeholder={file}
          value={values[file] ?? ''}
          error={faults[file]}
          maxLength={LIMITS.aliasMax}
          translate="no"
          onChange={({ target }) => set({ ...values, [file]: target.value })}
        />
      ))}
    </fieldset>
  )
}

function selectFacts(form: FormState<LinkField>, name: LinkField) {
  const { value, onChange } = form.field(name)
  return { name, value, onChange }
}

interface SwitchProps {
  readonly form: FormState<LinkField>
  readonly name: LinkField
  readonly label: string
  readonly hint?: ReactNode
  /** Greyed: the hint says why. */
  readonly isOff?: boolean
  /** On, and not to be changed: the hint says why. */
  readonly isFixed?: boolean
}

function Switch({ form, name, label, hint, isOff = false, isFixed = false }: SwitchProps) {
  return (
    <label className={classNames(styles['switch'], isOff && styles['off'])}>
      <input
        type="checkbox"
        name={name}
        checked={isFixed || (!isOff && form.values[name] === 'on')}
        disabled={isOff || isFixed}
        onChange={({ target }) => form.set({ [name]: target.checked ? 'on' : '' })}
      />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  )
}
