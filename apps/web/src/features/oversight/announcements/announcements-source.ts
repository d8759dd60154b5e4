import { routes } from '@godwit/contract/table'
import type { Announcement, AnnouncementDetail } from '@godwit/contract'
import { ANNOUNCEMENT_STATES } from '@godwit/contract/oversight/announcement-limits'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import type { Locale } from '../../../lib/texts.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'

/** First part of the key of every query about notices that administrators write. */
export const ANNOUNCEMENTS = 'announcements'

export const announcementsSource: ListSource<Announcement> = {
  key: ANNOUNCEMENTS,
  load: (api, { page, pageSize, filters }, signal) => {
    const state = ANNOUNCEMENT_STATES.find((each) => each === filters['state'])
    const query = { page, size: pageSize, text: filters['text'], ...(state === undefined ? {} : { state }) }
    // They are sent and read without anybody at this page.
    return api.call(routes.adminNotices.list, { query }, { quiet: true, ...(signal === undefined ? {} : { signal }) })
  },
  refreshMs: 10_000,
}

export function useAnnouncement(id: string | undefined) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', ANNOUNCEMENTS, 'one', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }): Promise<AnnouncementDetail> =>
      (await api.call(routes.adminNotices.get, { params: { noticeId: id ?? '' } }, { signal })).notice,
  })
}

/** The title in the language of the page, or in the one there is. */
export function titleOf({ titleEn, titleZh }: Pick<Announcement, 'titleEn' | 'titleZh'>, locale: Locale): string {
  return locale === 'zh-CN' ? titleZh || titleEn : titleEn || titleZh
}
