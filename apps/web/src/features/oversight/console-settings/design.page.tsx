import type { BrandingAsset, ConsoleSetting } from '@godwit/contract'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import type { FormSchema } from '../../../ui/form/index.ts'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { useSpaceChoices } from '../../identity/console-spaces/index.ts'
import { SITE_CHANGED } from '../../foundation/site/index.ts'
import { DesignPreview } from './design-preview.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SETTING_SOURCES, useSettings } from './settings-query.ts'
import styles from './settings.module.css'
import { useDesignImages, useImageFields } from './use-design-images.ts'

/** What the site is called and looks like, with its pages as they would be. */
export function DesignPage() {
  const texts = useTexts()
  const settings = useSettings(SETTING_SOURCES.design)
  const images = useDesignImages()
  const query = settings.data === undefined ? settings : images
  return (
    <LoadedPage title={texts('design.title')} query={query}>
      {() =>
        settings.data !== undefined &&
        images.data !== undefined && <Design settings={settings.data} images={images.data} />
      }
    </LoadedPage>
  )
}

const DEFAULT_SPACE = 'menu.space.spaceId'

/** The space where people begin, by its name; as its number for whoever may not see it. */
function useSpaceField(settings: readonly ConsoleSetting[]): (schema: FormSchema<string>) => FormSchema<string> {
  const choices = useSpaceChoices()
  return useCallback(
    (schema) => {
      const chosen = settings.find(({ key }) => key === DEFAULT_SPACE)
      const field = schema[DEFAULT_SPACE]
      if (field === undefined || !choices?.some(({ value }) => value === String(chosen?.value))) return schema
      const { label, note } = field
      const common = { label, wire: DEFAULT_SPACE, ...(note === undefined ? {} : { note }) }
      return { ...schema, [DEFAULT_SPACE]: { ...common, kind: 'select', choices } }
    },
    [settings, choices],
  )
}

interface DesignProps {
  readonly settings: readonly ConsoleSetting[]
  readonly images: Readonly<Record<BrandingAsset, string>>
}

function Design({ settings, images }: DesignProps) {
  const texts = useTexts()
  const beside = useImageFields(images)
  const refine = useSpaceField(settings)
  return (
    <PageFrame
      title={texts('design.title')}
      help={texts('design.help')}
      isNarrow
      actions={
        <Link className={styles['history']} to="/admin/design/history">
          {texts('settings.history')}
        </Link>
      }
    >
      <SettingsForm
        source={SETTING_SOURCES.design}
        settings={settings}
        beside={beside}
        refine={refine}
        onSaved={() => void dispatchEvent(new Event(SITE_CHANGED))}
      >
        {(form) => <DesignPreview values={form.values} />}
      </SettingsForm>
    </PageFrame>
  )
}
