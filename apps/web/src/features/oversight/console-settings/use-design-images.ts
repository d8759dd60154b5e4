import { routes } from '@godwit/contract/table'
import type { BrandingAsset } from '@godwit/contract'
import { BRANDING_ASSETS } from '@godwit/contract/foundation/branding'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { imageField } from './image-field.tsx'
import { contentOf } from './image-file.ts'
import type { FieldsBeside } from './settings-form.tsx'
import type { SettingTexts } from './setting-values.ts'

const KEY = ['console', 'design-images']

/** Addresses of the site's own images. */
export function useDesignImages() {
  const { api } = useServices()
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await api.call(routes.adminDesignImages.list, {}, { signal })).images,
  })
}

/** The images as fields beside the settings of the design; all that changed are sent at once. */
export function useImageFields(images: Readonly<Record<BrandingAsset, string>>): FieldsBeside {
  const texts = useTexts()
  const { api } = useServices()
  return {
    schema: Object.fromEntries(BRANDING_ASSETS.map((asset) => [asset, imageField(asset, texts)])),
    initial: images,
    async send(values, base) {
      const changed = changesOf(values, base)
      if (Object.keys(changed).length > 0)
        await api.call(routes.adminDesignImages.change, { body: { images: changed } })
    },
  }
}

function changesOf(values: SettingTexts, base: SettingTexts): Partial<Record<BrandingAsset, string | null>> {
  const changed = BRANDING_ASSETS.filter((asset) => values[asset] !== base[asset])
  return Object.fromEntries(changed.map((asset) => [asset, contentOf(values[asset] ?? '') ?? null]))
}
