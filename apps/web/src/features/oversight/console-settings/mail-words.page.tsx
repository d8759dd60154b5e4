import { routes } from '@godwit/contract/table'
import type { ConsoleSetting, MailKindView } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import type { FormSchema } from '../../../ui/form/index.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { MailPreview } from './mail-preview.tsx'
import { partOf, wordsFault } from './mail-words.ts'
import { SettingsForm } from './settings-form.tsx'
import { SETTING_SOURCES, useSettings } from './settings-query.ts'
import styles from './settings.module.css'

const PAGE = '/admin/mail/templates'

/** Subject and text of each kind of mail in both languages, with the mail as it would be. */
export function MailWordsPage() {
  const texts = useTexts()
  const { api } = useServices()
  const settings = useSettings(SETTING_SOURCES.mail)
  const query = useQuery({
    queryKey: ['console', 'mail-kinds'],
    queryFn: async ({ signal }) => (await api.call(routes.adminMailTexts.list, {}, { signal })).mails,
  })
  return (
    <LoadedPage title={texts('mail-words.title')} query={query}>
      {(mails) => (
        <LoadedPage title={texts('mail-words.title')} query={settings}>
          {(held) => <Words mails={mails} settings={held} />}
        </LoadedPage>
      )}
    </LoadedPage>
  )
}

interface WordsProps {
  readonly mails: readonly MailKindView[]
  readonly settings: readonly ConsoleSetting[]
}

function Words({ mails, settings }: WordsProps) {
  const texts = useTexts()
  const navigate = useNavigate()
  const { template: wanted }: { readonly template?: string } = useParams({ strict: false })
  const mail = mails.find(({ template }) => template === wanted) ?? mails[0]
  return (
    <PageFrame
      title={texts('mail-words.title')}
      help={texts('mail-words.help')}
      isNarrow
      actions={
        <Link className={styles['history']} to={`${PAGE}/history`}>
          {texts('settings.history')}
        </Link>
      }
    >
      <SelectField
        label={texts('mail-words.mail')}
        choices={mails.map(({ template, name }) => ({ value: template, label: name[texts.locale] }))}
        value={mail?.template ?? ''}
        onChange={({ target }) => void navigate({ to: `${PAGE}/${target.value}` })}
      />
      {mail !== undefined && <WordsForm key={mail.template} mail={mail} settings={settings} />}
    </PageFrame>
  )
}

function WordsForm({ mail, settings }: { readonly mail: MailKindView } & Pick<WordsProps, 'settings'>) {
  const texts = useTexts()
  const own = useMemo(() => ownWords(settings, mail, texts), [settings, mail, texts])
  const refine = useCallback((schema: FormSchema<string>) => refined(schema, mail, texts), [mail, texts])
  return (
    <SettingsForm
      source={SETTING_SOURCES.mail}
      settings={own}
      refine={refine}
      lead={
        <p className={styles['lead']}>
          {texts('mail-words.placeholders')}{' '}
          {mail.placeholders.map((name) => (
            <code key={name} className={styles['placeholder']} translate="no">{`{${name}}`}</code>
          ))}
        </p>
      }
    >
      {(form) => <MailPreview mail={mail} values={form.values} />}
    </SettingsForm>
  )
}

/** With short labels, since the page says which mail they are about. */
function ownWords(settings: readonly ConsoleSetting[], mail: MailKindView, texts: Texts): readonly ConsoleSetting[] {
  return settings
    .filter(({ key }) => key.startsWith(`mail.${mail.template}.`))
    .map((setting) => {
      const { part, language } = partOf(setting.key)
      const label = texts(`mail-words.${part}.${language}`)
      return { ...setting, label: { 'zh-CN': label, 'en-US': label } }
    })
}

function refined(schema: FormSchema<string>, mail: MailKindView, texts: Texts): FormSchema<string> {
  return Object.fromEntries(
    Object.entries(schema).map(([key, field]) => {
      const { part } = partOf(key)
      const rule = (value: string): string | undefined => wordsFault({ value, mail, part }, texts)
      return [key, { ...field, rule, isRequired: true }]
    }),
  )
}
