/** How many rows a page of any list has where the question does not say, and the most it can ask for. */
export const DEFAULT_PAGE_SIZE = 1000;
export const MAX_PAGE_SIZE = 5000;
