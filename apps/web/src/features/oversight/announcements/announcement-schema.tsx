import { ANNOUNCEMENT_LIMITS } from '@godwit/contract/oversight/announcement-limits'
import type { Texts } from '../../../lib/texts.tsx'
import { type Field, type FormSchema, ON } from '../../../ui/form/index.ts'
import { TextArea } from '../../../ui/text-area.tsx'
import { momentIn } from '../../../lib/local-moment.ts'
import { type AnnouncementField, audienceIn, isNobody } from './announcement-values.ts'
import { AudienceField } from './audience-field.tsx'

const { titleMax, textMax } = ANNOUNCEMENT_LIMITS

type NoticeField = Field<AnnouncementField>

export function announcementSchema(texts: Texts, now: () => number): FormSchema<AnnouncementField> {
  const first: Language = texts.locale === 'zh-CN' ? 'Zh' : 'En'
  const languages = {
    En: { titleEn: titleField(texts, 'En', first), textEn: textField(texts, 'En', first) },
    Zh: { titleZh: titleField(texts, 'Zh', first), textZh: textField(texts, 'Zh', first) },
  }
  return {
    audience: {
      kind: 'custom',
      label: texts('announcements.audience'),
      isRequired: true,
      missing: texts('announcements.audience.missing'),
      rule: (value) => (isNobody(audienceIn(value)) ? texts('announcements.audience.missing') : undefined),
      wire: 'audience',
      render: (form, error) => (
        <AudienceField value={form.values.audience} error={error} onChange={(audience) => form.set({ audience })} />
      ),
    },
    channels: {
      kind: 'checks',
      label: texts('announcements.channels'),
      isRequired: true,
      choices: [
        { value: 'website', label: texts('announcements.channel.website') },
        { value: 'email', label: texts('announcements.channel.email') },
      ],
      errors: ['SYSTEM_MAIL_NOT_CONFIGURED'],
      wire: 'channels',
    },
    // The fields stand in the order of their keys: the author's own language first.
    ...(first === 'Zh' ? { ...languages.Zh, ...languages.En } : { ...languages.En, ...languages.Zh }),
    isPlanned: { kind: 'switch', label: texts('announcements.planned'), hint: texts('announcements.planned.hint') },
    sendAt: {
      kind: 'text',
      type: 'datetime-local',
      label: texts('announcements.send-at'),
      isRequired: ({ isPlanned }) => isPlanned === ON,
      isHidden: ({ isPlanned }) => isPlanned !== ON,
      rule: (value) => ((momentIn(value) ?? 0) > now() ? undefined : texts('announcements.send-at.past')),
      wire: 'sendAt',
    },
  }
}

type Language = 'En' | 'Zh'
type Values = Readonly<Record<AnnouncementField, string>>

/** A language is either written whole or left out, and one is written: the first of the form as long as both are empty. */
function isAsked(values: Values, language: Language, first: Language, own: 'title' | 'text'): boolean {
  const has = (name: AnnouncementField): boolean => values[name].trim() !== ''
  const other = own === 'title' ? 'text' : 'title'
  if (has(`${other}${language}`)) return true
  const isWritten = has('titleEn') || has('textEn') || has('titleZh') || has('textZh')
  return !isWritten && language === first
}

function titleField(texts: Texts, language: Language, first: Language): NoticeField {
  return {
    kind: 'text',
    label: texts(`announcements.title${language}`),
    isRequired: (values) => isAsked(values, language, first, 'title'),
    maxLength: titleMax,
    autoComplete: 'off',
    wire: `title${language}`,
  }
}

function textField(texts: Texts, language: Language, first: Language): NoticeField {
  const name = `text${language}` as const
  return {
    kind: 'custom',
    label: texts(`announcements.text${language}`),
    isRequired: (values) => isAsked(values, language, first, 'text'),
    wire: name,
    render(form, error) {
      const { value, onChange, onBlur } = form.field(name)
      return (
        <TextArea
          name={name}
          label={texts(`announcements.text${language}`)}
          hint={texts('announcements.text.hint')}
          rows={5}
          maxLength={textMax}
          value={value}
          error={error}
          required={isAsked(form.values, language, first, 'text')}
          onChange={onChange}
          onBlur={onBlur}
        />
      )
    },
  }
}
