// @ts-check

/**
 * How sections of guides are found: the build makes the index with the same options as browsers read it.
 *
 * @type {import('minisearch').Options}
 */
export const SEARCH_OPTIONS = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['address', 'title', 'heading', 'start'],
  // All that is typed, the beginning of a word is enough, and a long word may have a slip.
  searchOptions: {
    boost: { heading: 4, title: 2 },
    combineWith: 'AND',
    prefix: true,
    fuzzy: (term) => (term.length > 5 ? 1 : false),
  },
};
