import type { AnnouncementDetail, WantedAnnouncement } from '@godwit/contract'
import { localMoment, momentIn } from '../../../lib/local-moment.ts'
import { ON } from '../../../ui/form/index.ts'

export type AnnouncementField =
  | 'audience'
  | 'channels'
  | 'titleEn'
  | 'textEn'
  | 'titleZh'
  | 'textZh'
  | 'isPlanned'
  | 'sendAt'

export type AnnouncementValues = Readonly<Record<AnnouncementField, string>>

/** Whom it is for, with names, as the form holds it. */
export type NamedAudience = AnnouncementDetail['audience']

export const NOBODY: NamedAudience = { all: false, users: [], groups: [], departments: [] }

export const NEW_ANNOUNCEMENT: AnnouncementValues = {
  audience: '',
  channels: 'website',
  titleEn: '',
  textEn: '',
  titleZh: '',
  textZh: '',
  isPlanned: '',
  sendAt: '',
}

export function valuesOf(announcement: AnnouncementDetail): AnnouncementValues {
  const { titleEn, textEn, titleZh, textZh, channels, audience, sendAt } = announcement
  return {
    ...{ titleEn, textEn, titleZh, textZh, channels: channels.join(' ') },
    audience: textOf(audience),
    isPlanned: ON,
    sendAt: localMoment(sendAt),
  }
}

export function wantedOf(values: AnnouncementValues): WantedAnnouncement {
  const { titleEn, textEn, titleZh, textZh, channels, isPlanned, sendAt } = values
  const { all, users, groups, departments } = audienceIn(values.audience)
  return {
    ...{ titleEn, textEn, titleZh, textZh },
    channels: (['website', 'email'] as const).filter((channel) => channels.split(' ').includes(channel)),
    audience: {
      all,
      users: all ? [] : users.map(({ id }) => id),
      groups: all ? [] : groups.map(({ id }) => id),
      departments: all ? [] : departments.map(({ id }) => id),
    },
    sendAt: isPlanned === ON ? (momentIn(sendAt) ?? 0) : 0,
  }
}

/** '' while nobody is chosen, so that the field counts as empty. */
export function textOf(audience: NamedAudience): string {
  return isNobody(audience) ? '' : JSON.stringify(audience)
}

export function audienceIn(value: string): NamedAudience {
  return value === '' ? NOBODY : (JSON.parse(value) as NamedAudience)
}

export function isNobody({ all, users, groups, departments }: NamedAudience): boolean {
  return !all && users.length + groups.length + departments.length === 0
}
