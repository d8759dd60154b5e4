export {
  carryProperties,
  changeProperties,
  copyProperties,
  forgetProperties,
  forgetPropertiesAt,
  hasPropertiesBelow,
  propertiesAt,
  type Properties,
} from './properties.store.ts'
