/** The column that holds a Prisma field: `createdPosition` is kept in `created_position`. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
