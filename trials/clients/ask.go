// Asks a gateway for its deposits by the client that was generated: ask [address]
package main

import (
	"context"
	"fmt"
	"log"
	"os"
)

func main() {
	var _ SnapshotResult
	if len(os.Args) < 2 {
		return
	}
	client, err := NewClientWithResponses(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	first := int32(1)
	answer, err := client.ListDepositsWithResponse(context.Background(), &ListDepositsParams{PaginationFirst: &first})
	if err != nil {
		log.Fatal(err)
	}
	if answer.JSON200 == nil {
		log.Fatal(answer.Status())
	}
	fmt.Printf("Go: %d deposit\n", len(answer.JSON200.Deposits.Edges))
}
