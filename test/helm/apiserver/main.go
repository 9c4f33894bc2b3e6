// Runs the API server of Kubernetes with its database, in a folder: apiserver FOLDER FLAG...
package main

import (
	"log"
	"net/url"
	"os"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = os.Args[1]
	config.LogLevel = "error"
	config.ListenPeerUrls, config.ListenClientUrls = anyPort, anyPort
	database, err := embed.StartEtcd(config)
	if err != nil {
		log.Fatal(err)
	}
	defer database.Close()
	<-database.Server.ReadyNotify()

	command := app.NewAPIServerCommand()
	command.SetArgs(append(os.Args[2:], "--etcd-servers=http://"+database.Clients[0].Addr().String()))
	if err := command.Execute(); err != nil {
		log.Fatal(err)
	}
}
